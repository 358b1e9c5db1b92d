/**
 * The answer, or the fallback where it is an error or does not come within the time (ms): every wait ends. A late answer
 * is dropped.
 */
export async function within<T, F>(ms: number, answer: Promise<T>, fallback: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(resolve, ms, fallback);
  });
  try {
    return await Promise.race([answer.catch(() => fallback), late]);
  } finally {
    clearTimeout(timer);
  }
}
