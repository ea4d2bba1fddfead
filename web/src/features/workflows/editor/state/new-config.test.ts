import { nodeTypes } from '@chancery/contract/workflow-graph.ts'
import { describe, expect, it } from 'vitest'
import { newConfig } from './new-config.ts'

describe('a new node', () => {
  it.each(nodeTypes)('of type %s is due at no time that nobody set', (type) => {
    const config = newConfig(type)
    expect(config).not.toHaveProperty('deadline_sec')
    expect(config).not.toHaveProperty('expires_sec')
  })
})
