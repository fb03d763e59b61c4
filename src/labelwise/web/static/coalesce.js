// Throttling: at most one run at a time and one per `gap` milliseconds; calls in between are merged into one run.

export function coalesce(act, gap = 0) {
  let running = false;
  let wanted = false;
  async function run() {
    if (running) {
      wanted = true;
      return;
    }
    running = true;
    do {
      wanted = false;
      const began = performance.now();
      try {
        await act();
      } catch (error) {
        console.warn(error.message);
      }
      const rest = gap - (performance.now() - began);
      if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    } while (wanted);
    running = false;
  }
  return run;
}
