/** What we hand out to start from: every example and every plugin in the documentation can be loaded. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createChildren } from '#kernel/child/index.ts'
import { systemIds } from '#kernel/ids.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { loadPlugin } from './load-plugin.ts'
import { createPluginRuntime } from './runtime/index.ts'
import { createValveCheck } from './valve-check.ts'

const log = createLog('silent')
const children = createChildren({ log, metrics: createMetrics(log) })
afterAll(() => children.stop())
const context = {
  runtime: createPluginRuntime({ children }),
  kernel: { ids: systemIds } as Kernel,
  valveCheck: createValveCheck(children),
}

const root = new URL('../../../../', import.meta.url)
const examples = readdirSync(new URL('plugin/examples/', root))
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => [name, readFileSync(new URL(`plugin/examples/${name}`, root), 'utf8')] as const)
const blocks = [...readFileSync(new URL('docs/plugins.md', root), 'utf8').matchAll(/^( *)```ts\n([\s\S]*?)^ *```/gm)]
const documented = blocks.map(([, , source = ''], index) => [`block ${index + 1}`, source] as const)

describe.each([
  ['an example', examples],
  ['the documentation', documented],
] as const)('a plugin in %s', (_where, sources) => {
  it.each(sources)('%s loads', async (name, source) => {
    const { kind, spec } = await loadPlugin(context, { id: name.replace(/\W/g, '_'), source, valves: {} })
    expect(['tool', 'filter', 'pipe', 'action']).toContain(kind)
    for (const tool of spec.tools)
      expect(tool).toMatchObject({ description: expect.any(String), parameters: { type: 'object' } })
  })

  it('is found at all', () => {
    expect(sources.length).toBeGreaterThan(4)
  })
})
