import { ModelBody } from '@chancery/contract/models/models.ts'
import { describe, expect, it } from 'vitest'
import { BadJson, customModelBody, idFromName, servedModelBody } from './model-body.ts'

const choices = { isActive: true, grants: [] }
const fields = {
  id: 'contract-reader',
  name: 'Contract reader',
  base_model_id: 'guide',
  system: 'Read closely.',
  description: '',
  temperature: '0.2',
  max_tokens: '',
  extra: '{"seed": 7}',
}

describe('the request body of a model', () => {
  it('contains what was typed and leaves out blanks', () => {
    const body = ModelBody.parse(customModelBody(fields, choices, undefined))
    expect(body.params).toEqual({ system: 'Read closely.', temperature: 0.2, seed: 7 })
  })

  it('names the field of an invalid number', () => {
    const checked = ModelBody.safeParse(customModelBody({ ...fields, temperature: 'warm' }, choices, undefined))
    expect(checked.error?.issues).toMatchObject([{ path: ['params', 'temperature'] }])
  })

  it('accepts only a JSON object as additional parameters', () => {
    for (const extra of ['[1]', 'seed', 'null'])
      expect(() => customModelBody({ ...fields, extra }, choices, undefined)).toThrow(BadJson)
  })

  it("contains only the editable fields of a connection's model, not its parameters", () => {
    const body = ModelBody.parse(servedModelBody(fields, choices, { id: 'llama3', current: undefined }))
    expect(body).toMatchObject({ id: 'llama3', base_model_id: null })
    expect(body).not.toHaveProperty('params')
  })

  it('suggests an ID the server accepts', () => {
    expect(idFromName('  Contract reader (EN)! ')).toBe('contract-reader-en')
  })
})
