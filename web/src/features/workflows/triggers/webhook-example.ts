/** A signed request to send from a shell, to try the webhook. */
import type { TriggerOf } from './api.ts'

interface Webhook {
  scheme: TriggerOf<'webhook'>['scheme']
  url: string
  /** Known only right after creation; otherwise a placeholder. */
  secret?: string | undefined
}

const body = `BODY='{"hello":"world"}'`
/** Includes the time, because GitHub-style requests are deduplicated by body. */
const freshBody = 'BODY="{\\"hello\\":\\"world\\",\\"at\\":$(date +%s)}"'

/** Shell single quotes: nothing inside is expanded. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const exampleOf = ({ scheme, url, secret = 'whsec_…' }: Webhook): string =>
  (scheme === 'standard' ? standard : github)(quoted(url), quoted(secret))

/** Standard Webhooks: the key is the base64 part after `whsec_`; ID, time and body are signed. */
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

/** GitHub style: only the body is signed, with the secret as text. */
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
