import { describe, expect, it } from 'vitest'
import { fieldLabel, formField } from './field-names.ts'

describe('the path of a field', () => {
  it('uses the labels of the form', () => {
    expect(fieldLabel('config.model', 'agent')).toBe('Model')
    expect(fieldLabel('config.title', 'approval')).toBe('Question')
    expect(fieldLabel('config.max_iterations', 'loop')).toBe('Maximum iterations')
    expect(fieldLabel('config.cases[0].expression', 'condition')).toBe('Case 1, expression')
    expect(fieldLabel('config.approvers[2]', 'approval')).toBe('Approver 3')
    expect(fieldLabel('config.fields.total', 'transform')).toBe('Fields, total')
    expect(fieldLabel('config.retry.max_attempts')).toBe('Attempts')
    expect(fieldLabel('settings.deadline_sec')).toBe('Run deadline')
  })

  it('is shown as is if the form has no such field', () => {
    expect(fieldLabel('config.colour')).toBe('colour')
  })

  it('leads to the field of the form', () => {
    expect(formField('config.cases[0].expression')).toBe('cases')
    expect(formField('config.retry.max_attempts')).toBe('retry')
  })
})
