# The part that the benchmarks' `run` scripts share. A script in a folder with requirements.txt sources it with the
# modules it needs, and has $root, the project's folder, and $python, a Python that can import them:
#   source "$here/../environment.sh" numpy torch
# HANDFUL_BENCH_VENV names a virtual environment to use instead of target/bench-venv; PYTHON the Python to make it with.
root="$(cd "$here/../.." && pwd)"
venv="${HANDFUL_BENCH_VENV:-$root/target/bench-venv}"
python="$venv/bin/python"

if [ ! -x "$python" ]; then
    "${PYTHON:-python3}" -m venv "$venv"
fi
for module in "$@"; do
    if ! "$python" -c "import $module" 2>/dev/null; then
        "$python" -m pip install --requirement "$here/requirements.txt"
        break
    fi
done
