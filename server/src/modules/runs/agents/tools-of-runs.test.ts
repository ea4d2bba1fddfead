import { expect, it } from 'vitest'
import { toolsOfRuns } from './tools-of-runs.ts'

it('keeps from runs the tools that start workflows, and leaves them all others', async () => {
  const tools = toolsOfRuns({ resolve: async (_actor, ids) => ids.map((name) => ({ name })) as never })
  await expect(tools.resolve({} as never, ['builtin:time', 'builtin:workflows'])).rejects.toMatchObject({
    code: 'tool_not_allowed',
  })
  expect(await tools.resolve({} as never, ['builtin:time'])).toEqual([{ name: 'builtin:time' }])
})
