/** The program of an evaluating thread, with expressions that do what no expression should be able to do. */
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, threadId } from 'node:worker_threads'
import { openProgress } from '../../src/kernel/expressions/worker-protocol.ts'

const marker = join(tmpdir(), `slow-once-${process.pid}`)
const texts = new Map<number, string>()
const misdeeds: Record<string, () => void> = {
  'endless loop': () => {
    for (;;) Math.sqrt(threadId)
  },
  'endless memory': () => {
    const all: unknown[] = []
    for (;;) all.push(new Array(10_000).fill(threadId))
  },
  exit: () => process.exit(1),
  'slow once': () => {
    if (existsSync(marker)) return
    writeFileSync(marker, '')
    for (;;) Math.sqrt(threadId)
  },
}

parentPort?.on('message', ({ learn, groups, progress }) => {
  for (const { id, text } of learn) texts.set(id, text)
  const { current, states } = openProgress(progress)
  const errors: object[] = []
  const ids: number[] = groups.flatMap((group: { ids: number[] }) => group.ids)
  for (const [index, id] of ids.entries()) {
    const text = texts.get(id) ?? ''
    Atomics.store(current, 0, index)
    misdeeds[text]?.()
    if (text === '1 / 0') {
      states[index] = 3
      errors.push({ index, kind: 'ZeroDivisionError', message: 'ZeroDivisionError: division by zero' })
    } else states[index] = text === 'False' ? 2 : 1
  }
  parentPort?.postMessage({ errors, values: [] })
})
