/** Output schemas are checked in full, and what isn't a schema is refused. */
import { describe, expect, it } from 'vitest'
import { compileSchema, findSchemaProblem } from '#kernel/json/json-schema.ts'
import { node } from '#test/harness/workflows.ts'
import { validateGraph } from './validate.ts'

describe('an output schema', () => {
  it.each([
    [{ type: 'integer', multipleOf: 5 }, 10, 12],
    [{ if: { const: 1 }, else: false }, 1, 2],
    [{ $defs: { id: { type: 'string', minLength: 2 } }, type: 'array', items: { $ref: '#/$defs/id' } }, ['ab'], ['a']],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1]],
    [{ type: 'object', dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }],
    [{ type: 'object', properties: { a: {} }, unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    [{ type: 'array', contains: { const: 1 }, minContains: 2 }, [1, 1], [1, 2]],
  ])('checks %j', (schema, good, bad) => {
    const check = compileSchema(schema)
    expect(check(good)).toBeUndefined()
    expect(check(bad)).toMatch(/value/)
  })

  it.each([
    { type: 'objekt' },
    { type: 'object', required: 'sum' },
    { $ref: '#/$defs/nothing' },
    { $ref: 'https://example.com/schema.json' },
    { type: 'string', pattern: '(' },
    { type: 'string', pattern: '(a+)+$' },
  ])('is refused before publication where it is not one: %j', (output_schema) => {
    expect(findSchemaProblem(output_schema)).toMatch(/JSON Schema/)
    const agent = node('ask', { model: 'm', output_schema }, 'agent')
    expect(validateGraph({ nodes: [agent], edges: [] })).toMatchObject([
      { node_id: 'ask', field: 'config.output_schema', message: expect.stringContaining('JSON Schema') },
    ])
  })
})
