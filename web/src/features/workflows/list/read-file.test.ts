import { describe, expect, it } from 'vitest'
import { readWorkflowFile } from './read-file.ts'

const file = { format: 'chancery-workflow', version: 1, name: 'A', description: '', graph: { nodes: [], edges: [] } }

describe('a workflow file', () => {
  it('is taken as it is when it is one', () => {
    expect(readWorkflowFile(JSON.stringify(file))).toEqual({ file })
  })

  it('is named for what it is not', () => {
    expect(readWorkflowFile('{"nodes": []}')).toEqual({ problem: 'This is no workflow file of Chancery.' })
    expect(readWorkflowFile('{')).toMatchObject({ problem: expect.stringMatching(/^The file cannot be read/) })
  })

  it('is told what is missing in it', () => {
    const broken = JSON.stringify({ ...file, graph: { nodes: [{}], edges: [] } })
    expect(readWorkflowFile(broken)).toMatchObject({ problem: expect.stringContaining('graph.nodes.0.id') })
  })
})
