//! A real browser, headless, spoken to in its own protocol over a pair of pipes.

use super::tools::is_there;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Chromium reads messages from its file descriptor 3 and writes answers to 4. It is ended where it
/// hangs.
const START: &str = "exec timeout 100 chromium --headless --no-sandbox --disable-gpu --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir=profile --remote-debugging-pipe 3<requests 4>answers";

/// A browser with a page.
pub struct Browser {
    child: Child,
    requests: File,
    answers: BufReader<File>,
    sent: u64,
    session: Option<Value>,
    /// What the page complained about.
    pub complaints: Vec<Value>,
    // Removed after the browser is gone.
    _folder: TempDir,
}

impl Browser {
    /// Starts a browser for the named test; `None` where there is none.
    pub fn start(test: &str) -> Option<Self> {
        if !is_there("chromium", &["--version"], test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let made = Command::new("mkfifo").args([at("requests"), at("answers")]).status();
        assert!(made.unwrap().success());
        let mut shell = Command::new("sh");
        shell.args(["-c", START]).current_dir(folder.path());
        let child = shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // In the order in which the shell opens them.
        let requests = OpenOptions::new().write(true).open(at("requests")).unwrap();
        let answers = BufReader::new(File::open(at("answers")).unwrap());
        let mut browser = Self {
            child,
            requests,
            answers,
            sent: 0,
            session: None,
            complaints: Vec::new(),
            _folder: folder,
        };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = Some(attached["sessionId"].clone());
        for part in ["Log.enable", "Runtime.enable", "Page.enable"] {
            browser.call(part, json!({}));
        }
        Some(browser)
    }

    /// Opens a file in a window `width` pixels wide, on light or dark paper.
    pub fn open(&mut self, file: &Path, width: u32, scheme: &str) {
        let size =
            json!({"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.call("Emulation.setEmulatedMedia", json!({"features": [feature]}));
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        let is_loaded =
            json!({"expression": "document.readyState === 'complete' && location.protocol"});
        // While it changes pages the browser may have none to ask.
        let file =
            |answer: Result<Value, Value>| answer.is_ok_and(|a| a["result"]["value"] == "file:");
        while !file(self.try_call("Runtime.evaluate", is_loaded.clone())) {}
    }

    /// The value of an expression in the page.
    pub fn ask(&mut self, expression: &str) -> Value {
        let answer = json!({"expression": expression, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", answer);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The result of a call, or the browser's error.
    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.sent += 1;
        let mut request = json!({"id": self.sent, "method": method, "params": params});
        if let Some(session) = &self.session {
            request["sessionId"] = session.clone();
        }
        write!(self.requests, "{request}\0").unwrap();
        loop {
            let mut message = Vec::new();
            self.answers.read_until(0, &mut message).unwrap();
            assert_eq!(message.pop(), Some(0), "the browser has gone");
            let message: Value = serde_json::from_slice(&message).unwrap();
            if message["id"] == self.sent {
                return match message.get("error") {
                    None => Ok(message["result"].clone()),
                    Some(error) => Err(error.clone()),
                };
            }
            let complaints =
                ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"];
            if complaints.iter().any(|&complaint| message["method"] == complaint) {
                self.complaints.push(message["params"].clone());
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let _ = write!(self.requests, "{}\0", json!({"id": 0, "method": "Browser.close"}));
        let _ = self.child.wait();
    }
}
