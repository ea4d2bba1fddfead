/** Sets a new password. Everything the old one had opened or begun ends with it, and its owner is notified. */
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { ownWords, words } from '#kernel/mail/words.ts'
import type { AccountsContext } from '../context.ts'
import type { Mailed } from '../guard/known-browser.ts'
import { greeting } from '../people/greeting.ts'
import { endChallengesUnscoped } from '../queries/login-challenges.ts'
import { clearFailuresOfUnscoped } from '../queries/login-failures.ts'
import { deleteResetsUnscoped } from '../queries/password-resets.ts'
import { revokeSessionsUnscoped } from '../queries/sessions.ts'
import { setPasswordHashUnscoped, type UserRow } from '../queries/users.ts'

interface Replacement {
  user: UserRow
  passwordHash: string
  /** The session that stays: the one in which the password was changed. */
  kept?: string | undefined
}

/** The hash first: its row lock makes a login that is under way wait, and then see that its password is no more. */
export const replacePassword = async (
  context: Pick<AccountsContext, 'clock' | 'mail' | 'externalUrl' | 'secondFactors'>,
  tx: Db,
  { user, passwordHash, kept }: Replacement,
): Promise<void> => {
  await setPasswordHashUnscoped(tx, user.id, passwordHash)
  await endOpenedByPassword(context, tx, { kind: 'user', id: user.id }, kept)
  await deleteResetsUnscoped(tx, user.id)
  await clearFailuresOfUnscoped(tx, user.id)
  await mailPasswordChanged(context, tx, user)
}

/** Sessions, but for one, begun logins, and browsers that weren't asked for a second step. */
export const endOpenedByPassword = async (
  { clock, secondFactors }: Pick<AccountsContext, 'clock' | 'secondFactors'>,
  tx: Db,
  whose: Mailed,
  except?: string,
): Promise<void> => {
  const at = clock.now()
  await revokeSessionsUnscoped(tx, whose.id, { at, except })
  await endChallengesUnscoped(tx, whose, at)
  await secondFactors?.forgetBrowsers(tx, whose.id)
}

const mailPasswordChanged = (
  { mail, externalUrl }: Pick<AccountsContext, 'mail' | 'externalUrl'>,
  db: Db,
  user: UserRow,
): Promise<unknown> =>
  mail.send(db, {
    to: user.email,
    by: byRecipient,
    ...compose({
      title: words`Your password was changed`,
      paragraphs: [greeting(user), words`The password of your account was just changed.`],
      footer: words`If this wasn’t you, reset it at ${ownWords(externalUrl)}/forgot-password and check your sessions.`,
    }),
  })
