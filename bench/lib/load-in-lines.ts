/** Answers each input line, the settings of a load, with its result: in one process, so that it stays warm. */
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const autocannon = createRequire(import.meta.url)('autocannon')

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const {
    errors,
    non2xx,
    duration,
    latency,
    '2xx': answered,
  } = await autocannon({ ...JSON.parse(line), sampleInt: 20 })
  process.stdout.write(
    `${JSON.stringify({ answered, tookSec: duration, p99Ms: latency.p99, failures: errors + non2xx })}\n`,
  )
}
