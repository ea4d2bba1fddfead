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
})
