import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { errorOfIssues, problemsOfError, problemsOfIssues } from './field-problems.ts'

describe('problems of a form', () => {
  it('keeps the first problem of each field', () => {
    const issues = [
      { path: ['name'], message: 'must not be empty' },
      { path: ['name'], message: 'must be shorter' },
      { path: ['allowed_routes', 3], message: 'must be a path such as /api/models' },
    ]
    expect(problemsOfIssues(issues)).toEqual({
      name: 'Enter a value.',
      allowed_routes: 'Enter a path such as /api/models.',
    })
  })

  it('reads the paths of a rejected body, with or without the leading "body"', () => {
    const problems = [
      { loc: ['body', 'email'], msg: 'must be a mail address', type: 'x' },
      { loc: ['password'], msg: 'must be at least 8 characters', type: 'x' },
    ]
    const error = new ApiError({
      status: 422,
      code: 'validation_failed',
      sentence: 'Some fields aren’t valid.',
      problems,
    })
    expect(problemsOfError(error)).toEqual({
      email: 'Enter a valid email.',
      password: 'Use at least 8 characters.',
    })
  })

  it('assigns an error code to its field', () => {
    const error = new ApiError({
      status: 409,
      code: 'email_taken',
      sentence: 'An account with this email already exists.',
    })
    expect(problemsOfError(error, { email_taken: 'email' })).toEqual({
      email: 'An account with this email already exists.',
    })
    expect(problemsOfError(error)).toEqual({})
  })

  it('are words of their own where the form has no such field', () => {
    const error = errorOfIssues([{ path: ['recipients', 0, 'email'], message: 'Invalid email address' }])
    expect(error).toMatchObject({ code: 'validation_failed', message: 'Recipients 1, email: Enter a valid email.' })
  })
})
