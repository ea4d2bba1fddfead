/** True if work ends within a time. It is not stopped when it does not; its failure is the caller's. */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const { promise: expired, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  try {
    return await Promise.race([work.then(() => true), expired])
  } finally {
    clearTimeout(timer)
  }
}
