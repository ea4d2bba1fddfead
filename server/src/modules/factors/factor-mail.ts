/** Each change of what opens an account is told to its owner: a stranger's would not go unseen. */
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { ownWords, type Words, words } from '#kernel/mail/words.ts'
import type { FactorsContext } from './context.ts'

type Told =
  | 'totp added'
  | 'passkey added'
  | 'totp removed'
  | 'passkey removed'
  | 'codes renewed'
  | 'code used'
  | 'reset'

const sentences: Record<Told, Words> = {
  'totp added': words`An authenticator app was added to your account. Signing in now asks for its code.`,
  'passkey added': words`A passkey was added to your account. It can be used to sign in.`,
  'totp removed': words`An authenticator app was removed from your account.`,
  'passkey removed': words`A passkey was removed from your account.`,
  'codes renewed': words`New recovery codes were made for your account. The old ones no longer work.`,
  'code used': words`A recovery code of your account was used. It won’t work again.`,
  reset: words`The second factors of your account were removed by an administrator, and you were signed out everywhere.`,
}

export const mailChange = (
  { mail, externalUrl }: Pick<FactorsContext, 'mail' | 'externalUrl'>,
  db: Db,
  { to, told }: { to: string; told: Told },
): Promise<string> =>
  mail.send(db, {
    to,
    by: byRecipient,
    ...compose({
      title: words`The security of your account changed`,
      paragraphs: [words`Hello,`, sentences[told]],
      footer: words`If this wasn’t you, change your password at ${ownWords(externalUrl)} and check your sessions and passkeys.`,
    }),
  })
