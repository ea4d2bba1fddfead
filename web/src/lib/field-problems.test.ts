import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { problemsOfError, problemsOfIssues } from './field-problems.ts'

describe('problems of a form', () => {
  it('keeps the first sentence of each field and writes it as one', () => {
    const issues = [
      { path: ['name'], message: 'must not be empty' },
      { path: ['name'], message: 'must be shorter' },
      { path: ['allowed_routes', 3], message: 'must be a path such as /api/models' },
    ]
    expect(problemsOfIssues(issues)).toEqual({
      name: 'Must not be empty.',
      allowed_routes: 'Must be a path such as /api/models.',
    })
  })

  it('reads the places a refused body names, with or without the leading "body"', () => {
    const problems = [
      { loc: ['body', 'email'], msg: 'must be a mail address', type: 'x' },
      { loc: ['password'], msg: 'must be at least 8 characters', type: 'x' },
    ]
    const error = new ApiError({
      status: 422,
      code: 'validation_failed',
      sentence: 'Some fields are not valid.',
      problems,
    })
    expect(problemsOfError(error)).toEqual({
      email: 'Must be a mail address.',
      password: 'Must be at least 8 characters.',
    })
  })

  it('puts an error that is about one field at that field', () => {
    const error = new ApiError({
      status: 409,
      code: 'email_taken',
      sentence: 'An account with this address exists already.',
    })
    expect(problemsOfError(error, { email_taken: 'email' })).toEqual({
      email: 'An account with this address exists already.',
    })
    expect(problemsOfError(error)).toEqual({})
  })
})
