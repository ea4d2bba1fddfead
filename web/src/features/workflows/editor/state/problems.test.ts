import { describe, expect, it } from 'vitest'
import { graphOf, node } from '../../kinds/sample.ts'
import { locateProblems, problemsByNode } from './problems.ts'

const graph = { ...graphOf('a b', 'a>b'), nodes: [node('a', 'agent'), node('b', 'condition')] }
const at = (part: object) => ({ node_id: null, edge_id: null, field: null, message: 'is missing', ...part })

describe('problems of a graph', () => {
  it('have a readable location', () => {
    expect(locateProblems(graph, [at({ node_id: 'b', field: 'config.cases[0].expression' })])).toEqual([
      {
        key: '0',
        nodeId: 'b',
        field: 'cases',
        part: 'Case 1, expression',
        location: 'B · Case 1, expression',
        message: 'Enter a value.',
      },
    ])
  })

  it('at a field with one value name no part of it', () => {
    const [problem] = locateProblems(graph, [at({ node_id: 'a', field: 'config.model' })])
    expect(problem).toMatchObject({ field: 'model', part: undefined, location: 'A · Model' })
  })

  it('of an edge belong to the node it starts from', () => {
    const [problem] = locateProblems(graph, [at({ edge_id: 'a-b', field: 'source_handle' })])
    expect(problem).toMatchObject({ nodeId: 'a', field: undefined })
  })

  it('of the whole graph belong to no node', () => {
    expect(locateProblems(graph, [at({})])[0]).toMatchObject({ nodeId: undefined, location: 'Workflow' })
  })

  it('of the settings link to the settings', () => {
    const [problem] = locateProblems(graph, [at({ field: 'settings.deadline_sec' })])
    expect(problem).toMatchObject({ nodeId: undefined, location: 'Workflow settings · Run deadline' })
    expect(problem?.field).toBeDefined()
  })

  it('of deleted nodes are left out', () => {
    expect(locateProblems(graph, [at({ node_id: 'gone' }), at({ edge_id: 'gone' })])).toEqual([])
  })

  it('are grouped by node', () => {
    const located = locateProblems(graph, [at({ node_id: 'a', field: 'config.model' }), at({ node_id: 'a' })])
    expect(problemsByNode(located)).toEqual(new Map([['a', ['Model: Enter a value.', 'Enter a value.']]]))
  })
})
