/** Runs one batch after another until a batch reports that it was the last, or the job has to stop. */
export const inBatches = async (signal: AbortSignal, doSome: () => Promise<boolean>): Promise<void> => {
  while (!signal.aborted && (await doSome()));
}
