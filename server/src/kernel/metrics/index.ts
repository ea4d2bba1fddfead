/** The server's metrics. See README.md. */
export type { Collected, Counter, CounterSeries, Histogram } from './instruments.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { createRequestCounts, type RequestCounts } from './requests.ts'
export { shareReading } from './share-reading.ts'
