/** Tells a sender whose email isn't verified what the emails to recipients leave out. */
import { MailQuestion } from 'lucide-react'
import { useHasMailServer } from '#data/mail-server.ts'
import { usePerson } from '#data/viewer.ts'
import { HrefLink, textLink } from '#ui/button/href-link.tsx'

export function UnverifiedNote() {
  const { emailVerified } = usePerson()
  const hasMail = useHasMailServer() !== false
  if (emailVerified || !hasMail) return null
  return (
    <p className="flex items-start gap-2.5 rounded-control border border-warn/30 bg-warn-wash px-4 py-3 text-sm">
      <MailQuestion aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <span>
        Your email isn’t verified yet, so emails to recipients leave out your name, the title and your message.{' '}
        <HrefLink href="/account" className={textLink}>
          Verify your email
        </HrefLink>
      </span>
    </p>
  )
}
