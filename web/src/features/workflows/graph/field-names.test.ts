import { describe, expect, it } from 'vitest'
import { formField, sayField } from './field-names.ts'

describe('the path of a field', () => {
  it('uses the labels of the form', () => {
    expect(sayField('config.model')).toBe('Model')
    expect(sayField('config.cases[0].expression')).toBe('Case 1, expression')
    expect(sayField('config.approvers[2]')).toBe('Approver 3')
    expect(sayField('config.fields.total')).toBe('Fields, total')
    expect(sayField('config.retry.max_attempts')).toBe('Attempts')
    expect(sayField('settings.deadline_sec')).toBe('Run deadline')
  })

  it('is shown as is if the form has no such field', () => {
    expect(sayField('config.colour')).toBe('colour')
  })

  it('leads to the field of the form', () => {
    expect(formField('config.cases[0].expression')).toBe('cases')
    expect(formField('config.retry.max_attempts')).toBe('retry')
  })
})
