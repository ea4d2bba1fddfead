/** Does some at a time until a batch says that no more follows, or the job has to stop. */
export const inBatches = async (signal: AbortSignal, doSome: () => Promise<boolean>): Promise<void> => {
  while (!signal.aborted && (await doSome()));
}
