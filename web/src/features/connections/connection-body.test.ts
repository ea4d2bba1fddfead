import { ConnectionBody, ConnectionPatch } from '@chancery/contract/models/connections.ts'
import { describe, expect, it } from 'vitest'
import { withPrice } from '#lib/form/prices.ts'
import { choicesOf, connectionBody } from './connection-body.ts'

const fields = {
  name: 'Cellar',
  url: ' http://127.0.0.1:11434 ',
  key: '',
  prefix_id: '',
  tags: 'local, gpu,, local',
  timeout_sec: '',
}
const choices = choicesOf(undefined)

describe('the request body of a connection', () => {
  it('matches the contract, with blanks left out', () => {
    const body = connectionBody(fields, choices, true)
    expect(ConnectionBody.parse(body)).toMatchObject({
      type: 'compat',
      url: 'http://127.0.0.1:11434',
      prefix_id: null,
      model_ids: null,
      tags: ['local', 'gpu'],
      timeout_sec: null,
    })
  })

  it('leaves the stored key alone unless one is typed or it is removed', () => {
    expect(connectionBody(fields, choices, false)).not.toHaveProperty('key')
    expect(connectionBody({ ...fields, key: 'sk-1' }, choices, false)).toMatchObject({ key: 'sk-1' })
    expect(connectionBody(fields, { ...choices, removesKey: true }, false)).toMatchObject({ key: null })
  })

  it("does not send the type of an existing one, which can't change", () => {
    expect(ConnectionPatch.safeParse(connectionBody(fields, choices, false)).success).toBe(true)
  })

  it('has the prices that were typed', () => {
    const prices = withPrice(choices.prices, 'swift', { input: '0.15', output: '0.6' })
    const body = connectionBody(fields, { ...choices, prices }, true)
    expect(ConnectionBody.parse(body).prices).toEqual({ swift: { input: 0.15, output: 0.6 } })
  })

  it('leaves an invalid timeout to the schema', () => {
    const checked = ConnectionBody.safeParse(connectionBody({ ...fields, timeout_sec: 'soon' }, choices, true))
    expect(checked.error?.issues).toMatchObject([{ path: ['timeout_sec'] }])
  })
})
