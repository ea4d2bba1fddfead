import { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { describe, expect, it } from 'vitest'
import { checkingGraph } from '#modules/workflow-graph/index.ts'
import { shareComputing } from '#test/harness/computing.ts'
import { templates } from './index.ts'

const { compute } = shareComputing()

describe('templates', () => {
  it('are of the contract’s shape, and of different names', () => {
    for (const template of templates) expect(WorkflowTemplate.parse(template)).toEqual(template)
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
  })

  it.each(templates.map((template) => [template.id, template] as const))(
    '%s lacks exactly what it says is to be filled in',
    async (id, { graph, to_fill }) => {
      const problems = await compute(checkingGraph, { graph, id }, { owner: 'test' })
      expect(problems.map(({ node_id, field }) => ({ node_id, field }))).toEqual(to_fill)
    },
  )
})
