/** Three answers about a file that don't stand for each other: is it unchanged, was it sealed here, and by whom. */
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react'
import { type Answer, answersOf } from './verdict.ts'

const looks = {
  good: { icon: CircleCheck, look: 'text-ok' },
  warn: { icon: TriangleAlert, look: 'text-warn' },
  bad: { icon: CircleX, look: 'text-bad' },
  plain: { icon: CircleHelp, look: 'text-faint' },
} as const

export function Answers({ reply }: { reply: VerifyReply }) {
  return (
    <dl aria-label="What was checked" className="flex flex-col gap-2 text-sm">
      {answersOf(reply).map((one) => (
        <AnswerRow key={one.question} {...one} />
      ))}
      {reply.laterSignatures.length > 0 && (
        <AnswerRow question="Signed later" answer={laterText(reply.laterSignatures)} tone="plain" />
      )}
    </dl>
  )
}

function AnswerRow({ question, answer, detail, tone }: Answer) {
  const { icon: Icon, look } = looks[tone]
  return (
    <div className="flex items-start gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />
      <dt className="w-28 shrink-0 text-soft">{question}</dt>
      <dd className="min-w-0 break-words">
        {answer}
        {detail !== undefined && <span className="block text-faint">{detail}</span>}
      </dd>
    </div>
  )
}

const laterText = (later: VerifyReply['laterSignatures']): string =>
  later.map(({ signer, trusted }) => `${signer ?? 'Unknown'}${trusted ? '' : ' (not confirmed)'}`).join('; ')
