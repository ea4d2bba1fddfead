/** A signed request to send from a shell, to try the webhook. */
import type { TriggerOf } from './api.ts'

interface Webhook {
  scheme: TriggerOf<'webhook'>['scheme']
  url: string
  /** For the scheme `hmac`. */
  header?: string | null
  /** Known only right after creation; otherwise a placeholder. */
  secret?: string | undefined
}

const body = `BODY='{"hello":"world"}'`
/** Includes the time, because requests of which only the body is signed are deduplicated by it. */
const freshBody = 'BODY="{\\"hello\\":\\"world\\",\\"at\\":$(date +%s)}"'

/** Shell single quotes: nothing inside is expanded. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Stripe and Slack have test buttons of their own. */
export const exampleOf = ({ scheme, url, header, secret = 'whsec_…' }: Webhook): string | undefined => {
  if (scheme === 'standard') return standard(quoted(url), quoted(secret))
  if (scheme === 'github') return ofBody(quoted(url), quoted(secret), 'x-hub-signature-256: sha256=')
  return scheme === 'hmac' ? ofBody(quoted(url), quoted(secret), `${header ?? 'x-signature'}: `) : undefined
}

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

/** Only the body is signed, with the secret as text. */
const ofBody = (url: string, secret: string, header: string): string =>
  [
    `SECRET=${secret}`,
    freshBody,
    `SIGNATURE="$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)"`,
    `curl -sS ${url} \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H "${header}$SIGNATURE" \\`,
    '  -d "$BODY"',
  ].join('\n')
