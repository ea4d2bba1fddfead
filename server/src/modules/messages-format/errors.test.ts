import { describe, expect, it } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { errorBody } from '#kernel/http/replies/error-reply.ts'
import { errorEvent, messagesErrorShape } from './errors.ts'

const shaped = (error: AppError) => messagesErrorShape(errorBody(error, 'r-1'), error)

describe('errors in the messages format', () => {
  it.each([
    ['invalid_request', 'invalid_request_error'],
    ['validation_failed', 'invalid_request_error'],
    ['not_authenticated', 'authentication_error'],
    ['tool_not_allowed', 'permission_error'],
    ['model_not_found', 'not_found_error'],
    ['reply_running', 'invalid_request_error'],
    ['body_too_large', 'request_too_large'],
    ['usage_limit_reached', 'rate_limit_error'],
    ['internal_error', 'api_error'],
    ['provider_failed', 'api_error'],
    ['not_ready', 'overloaded_error'],
    ['provider_timeout', 'timeout_error'],
  ] as const)('calls %s a %s', (code, type) => {
    const error = new AppError(code)
    const { message } = error
    expect(shaped(error)).toEqual({ type: 'error', error: { type, message }, request_id: 'r-1', code, detail: message })
    expect(errorEvent(new AppError(code, { detail: 'so' }), 'r-1')).toEqual({
      type: 'error',
      error: { type, message: 'so' },
      request_id: 'r-1',
    })
  })

  it('names the fields in one sentence', () => {
    const problems = [{ loc: ['body', 'messages', 0, 'role'], msg: 'Invalid input', type: 'x' }]
    expect(shaped(new AppError('validation_failed', { problems }))).toMatchObject({
      error: { message: 'messages.0.role: Invalid input' },
    })
  })
})
