// Arrow keys walk among the words, terms and shares of a group, of which one is a tab stop.
for (const group of document.querySelectorAll("[data-keys]")) {
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const stops = [...group.querySelectorAll("[tabindex]")];
  group.addEventListener("keydown", (event) => {
    const at = stops.indexOf(document.activeElement);
    const next = at < 0 ? undefined : stops[at + steps[event.key]];
    if (!next) return;
    event.preventDefault();
    stops[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
