/** One reading for the gauges that are asked at the same time, so that a scrape costs one query and not one for each. */
export const shareReading = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let reading: Promise<Value> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
