/** The engines on this machine, with their real models, in their real children. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createChildren } from '#kernel/child/index.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { fastFiles } from './fast-files.ts'
import { isLocalInstalled } from './local-engine.ts'
import { createLocalEngines } from './local-engines.ts'

const lines: string[] = []
const log = createLog('warn', { write: (line) => void lines.push(line) })
const emptyFolder = mkdtempSync(join(tmpdir(), 'no-engine-'))
const brokenFolder = mkdtempSync(join(tmpdir(), 'broken-engine-'))
for (const file of Object.values(fastFiles(brokenFolder))) writeFileSync(file, 'not what it should be')

const started: ReturnType<typeof createChildren>[] = []
const enginesWith = (folder: string) => {
  const children = createChildren({ log, metrics: createMetrics(log), givesWay: false })
  started.push(children)
  return createLocalEngines({ children, log }, folder)
}
const bundled = enginesWith(emptyFolder)

afterAll(async () => {
  await Promise.all(started.map((children) => children.stop()))
  for (const folder of [emptyFolder, brokenFolder]) rmSync(folder, { recursive: true })
})

const { signal } = new AbortController()
const payer = { kind: 'user', id: 'nobody', organizationId: null } as const
const dot = (one: Float32Array = new Float32Array(), two: Float32Array = new Float32Array()) =>
  one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0)
const texts = ['The physician examined the sick child.', 'The stock market fell sharply today.']

describe.skipIf(!isLocalInstalled())('the local engine', () => {
  it('finds what means the same in other words, in vectors of length 1', { timeout: 120_000 }, async () => {
    const engine = bundled.current()
    expect(engine?.id).toBe('local/minilm-l6-v2-fp16')
    const [about, other] = (await engine?.embed(texts, { payer, signal })) ?? []
    const [question] = (await engine?.embed(['Which doctor saw a patient?'], { payer, signal, isQuestion: true })) ?? []
    expect(about).toHaveLength(384)
    expect(dot(about, about)).toBeCloseTo(1)
    expect(dot(question, about)).toBeGreaterThan(dot(question, other) + 0.2)
  })

  it('serves where the fast one is installed but cannot be loaded, which is logged once', async () => {
    const engines = enginesWith(brokenFolder)
    const fast = engines.current()
    expect(fast?.id).toBe('local/minilm-l6-v2-q8')
    expect(engines.byId('local/minilm-l6-v2-fp16')).toBeDefined()
    const tries = [1, 2].map(() => fast?.embed(texts, { payer, signal }))
    for (const attempt of tries) await expect(attempt).rejects.toMatchObject({ code: 'child_start_failed' })
    expect(engines.current()?.id).toBe('local/minilm-l6-v2-fp16')
    expect(engines.byId('local/minilm-l6-v2-q8')).toBeUndefined()
    expect(lines.filter((line) => line.includes('fast embedding engine could not be loaded'))).toHaveLength(1)
  })
})
