import { describe, expect, it } from 'vitest'
import { chatToolsOf, noTools, toggle, toolParams, toolRequest, toolsOfFeatures } from './chat-tools.ts'

const unknown = { toolIds: undefined, filterIds: undefined }

describe('the tools of a chat', () => {
  it('are read from its params, whatever else is there', () => {
    const params = { tool_ids: ['a', 7], filter_ids: 'none', features: { memory: true, code_interpreter: 1, x: true } }
    expect(chatToolsOf(params)).toEqual({ toolIds: ['a'], filterIds: [], features: ['memory'] })
    expect(chatToolsOf({})).toEqual(noTools)
  })

  it('have memory once, as the feature, also where its tool was switched on by itself', () => {
    const chosen = { toolIds: ['a'], filterIds: [], features: ['memory'] }
    expect(chatToolsOf({ tool_ids: ['a', 'builtin:memory'] })).toEqual(chosen)
    expect(chatToolsOf({ tool_ids: ['a', 'builtin:memory'], features: { memory: true } })).toEqual(chosen)
    expect(toolsOfFeatures.has('builtin:memory')).toBe(true)
  })

  it('are stored as they are sent, and cleared with null', () => {
    const chosen = { toolIds: ['a'], filterIds: [], features: ['memory' as const] }
    expect(toolParams(chosen)).toEqual({ tool_ids: ['a'], filter_ids: null, features: { memory: true } })
    expect(toolRequest(chosen, unknown)).toEqual({ tool_ids: ['a'], features: { memory: true } })
    expect(toolRequest(noTools, unknown)).toEqual({})
  })

  it('that are gone are not requested', () => {
    const chosen = { toolIds: ['a', 'gone'], filterIds: ['f'], features: [] }
    expect(toolRequest(chosen, { toolIds: ['a', 'b'], filterIds: [] })).toEqual({ tool_ids: ['a'] })
  })

  it('are added and removed', () => {
    expect(toggle(['a'], 'b')).toEqual(['a', 'b'])
    expect(toggle(['a', 'b'], 'a')).toEqual(['b'])
  })
})
