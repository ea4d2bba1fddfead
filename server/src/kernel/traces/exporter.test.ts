import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { until } from '#test/kernel/until.ts'
import { startCollector } from '#test/peers/collector.ts'

const collector = await startCollector()
afterAll(collector.close)
const token = 'a token for the metrics'
const app = await testApp({
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    OTEL_BSP_SCHEDULE_DELAY: '10',
    METRICS_TOKEN: token,
  },
  config: { OTEL_BSP_MAX_QUEUE_SIZE: 20 },
})
const metric = async (name: string): Promise<number> => {
  const { text } = await app.anonymous.get('/metrics', { authorization: `Bearer ${token}` })
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )
}

describe('a collector', () => {
  it('that is silent costs nobody time and a bounded number of spans; what is dropped is counted', async () => {
    collector.status = 0
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 10 }, () => app.anonymous.get('/api/v1/api-keys')))
    expect(await metric('chancery_trace_spans_waiting')).toBeLessThanOrEqual(20)
    expect(await metric('chancery_trace_spans_total{outcome="dropped"}')).toBeGreaterThan(100)
  })

  it('that comes back gets what waits', async () => {
    collector.status = 200
    await until(async () => collector.spans.length > 20, 'the spans')
    expect(await metric('chancery_trace_spans_total{outcome="sent"}')).toBeGreaterThan(20)
  })
})
