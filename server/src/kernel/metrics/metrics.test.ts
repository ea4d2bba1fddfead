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

  it("are those of all servers of a machine: added up, but for what describes the database, and it says who didn't answer", async () => {
    const createServer = (own: number, others: () => Promise<(string | undefined)[]>) => {
      let answer = async () => ''
      const siblings = {
        askOthers: others,
        answerOthers: (_: string, given: () => Promise<string>) => {
          answer = given
        },
      }
      const metrics = createMetrics(createLog('silent'), siblings)
      const labels = ['kind']
      metrics.counter({ name: 'x_total', help: 'X.', labels }).of('a').add(own)
      metrics.histogram({ name: 'y', help: 'Y.', buckets }).of().observe(own)
      metrics.gauge({ name: 'here', help: 'H.', read: () => own })
      metrics.gauge({ name: 'in_database', help: 'D.', isShared: true, read: () => 7 })
      metrics.gauge({
        name: 'read_by_one',
        help: 'R.',
        isShared: true,
        read: () => (own > 1 ? 5 : Promise.reject(new Error('no'))),
      })
      return { metrics, answer: () => answer() }
    }
    const second = createServer(2, async () => [])
    const first = createServer(1, async () => [await second.answer(), undefined])
    const lines = (await first.metrics.write()).text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'x_total{kind="a"} 3',
        'y_bucket{le="1"} 1',
        'y_count 2',
        'here 3',
        'in_database 7',
        'read_by_one 5',
        'chancery_processes{state="answering"} 2',
        'chancery_processes{state="missing"} 1',
      ]),
    )
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
