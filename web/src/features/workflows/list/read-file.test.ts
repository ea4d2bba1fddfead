import { describe, expect, it } from 'vitest'
import { readWorkflowFile } from './read-file.ts'

const file = { format: 'chancery-workflow', version: 1, name: 'A', description: '', graph: { nodes: [], edges: [] } }

describe('a workflow file', () => {
  it('is accepted if valid', () => {
    expect(readWorkflowFile(JSON.stringify(file))).toEqual({ file })
  })

  it('is rejected if it is something else', () => {
    expect(readWorkflowFile('{"nodes": []}')).toEqual({ problem: 'This isn’t a Chancery workflow file.' })
    expect(readWorkflowFile('{')).toMatchObject({ problem: expect.stringMatching(/^Couldn’t read the file/) })
  })

  it('reports what is missing', () => {
    const broken = JSON.stringify({ ...file, graph: { nodes: [{}], edges: [] } })
    expect(readWorkflowFile(broken)).toMatchObject({ problem: expect.stringContaining('graph.nodes.0.id') })
  })
})
