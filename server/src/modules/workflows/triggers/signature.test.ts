import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifiers } from './signature.ts'

const asDelivery = (headers: Record<string, string>, body: string) => ({
  header: (name: string) => headers[name],
  bytes: Buffer.from(body),
})

describe('a signature of another library', () => {
  it('holds as Standard Webhooks signs', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const proof = { secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], now: new Date(1614265330_000) }
    const delivery = asDelivery(headers, '{"test": 2432232314}')
    expect(verifiers.standard(delivery, proof)).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek')
    expect(verifiers.standard(asDelivery(headers, '{"test":2432232314}'), proof)).toBeUndefined()
  })

  it('holds as GitHub documents it', () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const headers = { 'x-hub-signature-256': signature, 'x-github-delivery': '72d3162e' }
    const proof = { secrets: ["It's a Secret to Everybody"], now: new Date() }
    const bodyHash = 'dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f'
    expect(verifiers.github(asDelivery(headers, 'Hello, World!'), proof)).toBe(`sha256:${bodyHash}`)
    expect(verifiers.github(asDelivery(headers, 'Hello, World'), proof)).toBeUndefined()
  })

  const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text)
  const body = '{"id":"evt_1"}'
  const now = new Date(1_700_000_000_000)
  const proof = { secrets: ['other', 'sender-secret'], now }
  const key = `sha256:${createHash('sha256').update(body).digest('hex')}`
  const at = (seconds: number) => String(1_700_000_000 + seconds)
  const stripe = (time: string) => ({
    'stripe-signature': `t=${time},v0=00,v1=${'0'.repeat(64)},v1=${hmac('sender-secret', `${time}.${body}`).digest('hex')}`,
  })
  const slack = (time: string) => ({
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${hmac('sender-secret', `v0:${time}:${body}`).digest('hex')}`,
  })
  it('holds as Stripe and Slack sign, for five minutes', () => {
    for (const seconds of [0, -300, 300]) {
      expect(verifiers.stripe(asDelivery(stripe(at(seconds)), body), proof)).toBe(key)
      expect(verifiers.slack(asDelivery(slack(at(seconds)), body), proof)).toBe(key)
    }
    for (const seconds of [-301, 301]) {
      expect(verifiers.stripe(asDelivery(stripe(at(seconds)), body), proof)).toBeUndefined()
      expect(verifiers.slack(asDelivery(slack(at(seconds)), body), proof)).toBeUndefined()
    }
    expect(verifiers.stripe(asDelivery({ ...stripe(at(0)) }, '{}'), proof)).toBeUndefined()
    expect(
      verifiers.slack(asDelivery({ ...slack(at(0)), 'x-slack-request-timestamp': at(1) }, body), proof),
    ).toBeUndefined()
    expect(verifiers.stripe(asDelivery({}, body), proof)).toBeUndefined()
    expect(verifiers.slack(asDelivery({}, body), proof)).toBeUndefined()
  })

  it('holds as plain HMAC, in hex or base64, in the header that was chosen', () => {
    const digest = hmac('sender-secret', body).digest()
    for (const value of [digest.toString('hex'), digest.toString('base64'), `sha256=${digest.toString('hex')}`]) {
      expect(verifiers.hmac(asDelivery({ 'x-signature': value }, body), proof)).toBe(key)
      const chosen = { ...proof, signatureHeader: 'x-shop-hmac' }
      expect(verifiers.hmac(asDelivery({ 'x-shop-hmac': value }, body), chosen)).toBe(key)
      expect(verifiers.hmac(asDelivery({ 'x-signature': value }, body), chosen)).toBeUndefined()
      expect(verifiers.hmac(asDelivery({ 'x-signature': value }, `${body} `), proof)).toBeUndefined()
    }
    expect(verifiers.hmac(asDelivery({ 'x-signature': '' }, body), proof)).toBeUndefined()
  })
})
