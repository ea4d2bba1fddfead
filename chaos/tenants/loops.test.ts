import { expect, it } from 'vitest'
import { compareReadings, describeBusy, parseMetrics, parseSchedstat } from './loops.ts'

const page = (late: readonly [number, number, number], blocks: number, seconds: number) => `# HELP a number
chancery_loop_late_seconds_bucket{le="0.005"} ${late[0]}
chancery_loop_late_seconds_bucket{le="0.5"} ${late[1]}
chancery_loop_late_seconds_bucket{le="+Inf"} ${late[2]}
chancery_loop_blocks_total{what="GET /a \\n"} ${blocks}
process_cpu_seconds_total ${seconds}
process_start_time_seconds 100
`

const reading = (text: string, schedstat = '0 0 1') => ({
  metrics: parseMetrics(text),
  loop: parseSchedstat(schedstat),
})

it('two readings tell how late the loop was, what blocked it, and how much of a core it had and lacked', () => {
  const before = reading(page([10, 10, 10], 1, 5), '1000000000 500000000 9')
  const busy = compareReadings(before, reading(page([109, 110, 110], 3, 11), '6000000000 1500000000 99'), 10)
  expect(busy).toEqual({
    lateP99Ms: 5,
    lateWorstMs: 500,
    blocks: { 'GET /a \\n': 2 },
    cores: 0.6,
    ran: 0.5,
    waited: 0.1,
    hasRestarted: false,
  })
  expect(describeBusy(busy)).toBe(
    'late p99 ≤ 5 ms, worst ≤ 500 ms; loop at work 50 %, without a core 10 %; 0.60 cores in all; blocks: GET /a \\n ×2',
  )
})

it('a node that was started meanwhile is seen', () => {
  const after = reading('process_start_time_seconds 200\n')
  expect(compareReadings(reading(page([1, 1, 1], 0, 5)), after, 1).hasRestarted).toBe(true)
})
