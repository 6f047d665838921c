//! Measures the CPU seconds of the current thread.

/// Measures the computing time of the current thread, whatever else the machine does.
pub struct CpuClock {
    #[cfg(unix)]
    start: f64,
    /// Wall-clock time, on systems where threads have no clock of their own.
    #[cfg(not(unix))]
    start: std::time::Instant,
}

impl CpuClock {
    /// Starts the clock.
    pub fn start() -> Self {
        #[cfg(unix)]
        return Self { start: thread_seconds() };
        #[cfg(not(unix))]
        return Self { start: std::time::Instant::now() };
    }

    /// The seconds since the start.
    pub fn seconds(&self) -> f64 {
        #[cfg(unix)]
        return thread_seconds() - self.start;
        #[cfg(not(unix))]
        return self.start.elapsed().as_secs_f64();
    }
}

#[cfg(unix)]
fn thread_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn only_work_counts() {
        let clock = CpuClock::start();
        std::thread::sleep(Duration::from_millis(50));
        let asleep = clock.seconds();
        while clock.seconds() < 0.02 {
            std::hint::spin_loop();
        }
        assert!(asleep < 0.02, "{asleep}");
    }
}
