/** Waits for work until the signal aborts, then rejects with its reason. The work goes on; its failure is ignored then. */
export const orAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
