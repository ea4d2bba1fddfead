/** A signed request that anybody with a shell can send, to see the webhook work. */
import type { TriggerOf } from './api.ts'

interface Webhook {
  scheme: TriggerOf<'webhook'>['scheme']
  url: string
  /** Known only right after it was made; else a place to fill in. */
  secret?: string | undefined
}

const body = `BODY='{"hello":"world"}'`
/** With the time in it: what is known by its body must not be the same the next time. */
const freshBody = 'BODY="{\\"hello\\":\\"world\\",\\"at\\":$(date +%s)}"'

/** The shell's own quotes: what is inside is taken as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const exampleOf = ({ scheme, url, secret = 'whsec_…' }: Webhook): string =>
  (scheme === 'standard' ? standard : github)(quoted(url), quoted(secret))

/** Standard Webhooks: the key is what base64 hides behind `whsec_`; id, time and body are signed. */
const standard = (url: string, secret: string): string =>
  [
    `SECRET=${secret}`,
    body,
    'ID="msg_$(openssl rand -hex 8)"',
    'TIME="$(date +%s)"',
    `KEY="$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')"`,
    'SIGNATURE="$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)"',
    `curl -sS ${url} \\`,
    `  -H 'content-type: application/json' \\`,
    '  -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\',
    '  -d "$BODY"',
  ].join('\n')

/** As GitHub signs: the body alone, with the secret as it is written. */
const github = (url: string, secret: string): string =>
  [
    `SECRET=${secret}`,
    freshBody,
    `SIGNATURE="$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)"`,
    `curl -sS ${url} \\`,
    `  -H 'content-type: application/json' \\`,
    '  -H "x-github-delivery: $(openssl rand -hex 16)" -H "x-hub-signature-256: sha256=$SIGNATURE" \\',
    '  -d "$BODY"',
  ].join('\n')
