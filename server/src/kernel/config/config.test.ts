import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('reading the configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ PORT: 8080, SVC_ROLE: 'all', SVC_BUILD: 'release' })
    expect(config.JWT_EXPIRES_IN).toBe(28 * 86_400_000)
    expect(config.CUSTOM_API_KEY_HEADER).toBe('x-api-key')
  })

  it('treats a blank value as unset', () => {
    expect(readConfig({ PORT: ' ', JWT_SECRET: '' })).toMatchObject({ PORT: 8080, JWT_SECRET: undefined })
  })

  it.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['4w', 2_419_200_000],
    ['-1', null],
  ])('reads the duration %s', (text, ms) => expect(readConfig({ JWT_EXPIRES_IN: text }).JWT_EXPIRES_IN).toBe(ms))

  it.each([
    [{ PORT: '99999' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '80a' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ JWT_SECRET: 'x'.repeat(63) }, 'JWT_SECRET must be at least 64 characters long; it has 63.'],
    [
      { JWT_EXPIRES_IN: '4 weeks' },
      'JWT_EXPIRES_IN must be a number with a unit (ms, s, m, h, d or w), such as 4w, or -1 for never.',
    ],
    [
      { JWT_EXPIRES_IN: '0s' },
      'JWT_EXPIRES_IN must be a number with a unit (ms, s, m, h, d or w), such as 4w, or -1 for never.',
    ],
    [{ SVC_ROLE: 'king' }, 'SVC_ROLE must be all or api or worker.'],
    [{ SMTP_SECURE: 'maybe' }, 'SMTP_SECURE must be true or false.'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address that starts with postgres:// or postgresql://.'],
    [
      { OUTBOUND_ALLOWED_HOSTS: 'localhost' },
      'OUTBOUND_ALLOWED_HOSTS must be a list of exact host:port pairs; "localhost" is none.',
    ],
    [
      { S3_ENDPOINT: 'http://s3.test' },
      'S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it.',
    ],
    [{ CUSTOM_API_KEY_HEADER: 'x key' }, 'CUSTOM_API_KEY_HEADER must be a header name: letters, digits and hyphens.'],
  ])('stops the start over %o with one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })

  it('never repeats a secret in its complaint', () => {
    expect(() => readConfig({ JWT_SECRET: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  })
})
