import { Counter, Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { createMetrics } from './index.ts'

const buckets = [0.1, 1, 10]
const observations = [0.05, 0.1, 0.11, 1, 5, 10, 10.5, 400]

const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.includes(name))

describe('the metrics', () => {
  it('are written exactly as prom-client writes its own instruments', async () => {
    const theirs = new Registry()
    const labels = { route: '/a "quoted"\nroute', status: '200' }
    const counter = new Counter({ name: 'x_total', help: 'X.', labelNames: ['route', 'status'], registers: [theirs] })
    const histogram = new Histogram({ name: 'y', help: 'Y.', labelNames: ['route'], buckets, registers: [theirs] })
    const ours = createMetrics(createLog('silent'))
    const ourCounter = ours.counter({ name: 'x_total', help: 'X.', labels: ['route', 'status'] })
    const ourHistogram = ours.histogram({ name: 'y', help: 'Y.', labels: ['route'], buckets })
    for (const value of observations) {
      counter.inc(labels)
      histogram.observe({ route: '/a' }, value)
      ourCounter.of(labels.route, labels.status).add()
      ourHistogram.of('/a').observe(value)
    }
    const [expected, { text }] = [await theirs.metrics(), await ours.write()]
    const sorted = (from: string, name: string) =>
      linesOf(from, name).map((line) => line.replace(/\{(.*)\}/, (_, all: string) => all.split(',').toSorted().join()))
    expect(sorted(text, 'x_total')).toEqual(sorted(expected, 'x_total'))
    expect(sorted(text, 'y')).toEqual(expect.arrayContaining(sorted(expected, 'y')))
  })

  it('leave out a gauge that fails, and still show the others', async () => {
    const metrics = createMetrics(createLog('silent'))
    metrics.gauge({ name: 'broken', help: 'B.', read: () => Promise.reject(new Error('no database')) })
    metrics.gauge({ name: 'fine', help: 'F.', labels: ['state'], read: () => [[['idle'], 3]] })
    const { text } = await metrics.write()
    expect(text).toContain('fine{state="idle"} 3')
    expect(text).not.toMatch(/^broken/m)
  })

  it('refuse two instruments of one name', () => {
    const metrics = createMetrics(createLog('silent'))
    metrics.counter({ name: 'one_total', help: 'O.' })
    expect(() => metrics.counter({ name: 'one_total', help: 'O.' })).toThrow('already been registered')
  })

  it('tell of the event loop and of memory', async () => {
    const { text, contentType } = await createMetrics(createLog('silent')).write()
    expect(contentType).toContain('text/plain; version=0.0.4')
    for (const name of ['nodejs_eventloop_lag_seconds', 'process_resident_memory_bytes', 'nodejs_gc_duration_seconds'])
      expect(text).toContain(name)
  })
})
