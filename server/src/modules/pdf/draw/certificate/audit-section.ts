/** The audit log, an entry or a run of the same entries on a line, each with its hash. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import type { CertificateDesk } from './desk.ts'
import { count, plainTime } from './format.ts'

/** Lines at the beginning and at the end of a longer log. */
const [firstLines, lastLines] = [300, 100]

interface Run {
  first: AuditEntry
  last: AuditEntry
}

export const writeAudit = (desk: CertificateDesk): void => {
  const { sheet, texts, facts } = desk
  const { audit: words } = texts
  sheet.heading(words.heading)
  sheet.paragraph(words.note)
  sheet.gap(3)
  const runs = runsOf(facts.audit)
  const [begins, ends] = runs.length > firstLines + lastLines ? [firstLines, runs.length - lastLines] : [runs.length, 0]
  const left = runs.slice(begins, Math.max(begins, ends))
  sheet.table(
    columnsOf(desk),
    runs.slice(0, begins).map((run) => lineOf(desk, run)),
  )
  if (left.length > 0) {
    const entries = left.reduce((sum, { first, last }) => sum + last.seq - first.seq + 1, 0)
    sheet.paragraph(words.more(count(facts.language, entries)))
    sheet.table(
      columnsOf(desk),
      runs.slice(ends).map((run) => lineOf(desk, run)),
    )
  }
  sheet.gap(6)
  sheet.pair(words.lastEntry, String(facts.chainHead.seq))
  sheet.pair(words.lastHash, facts.chainHead.hash)
}

const columnsOf = ({ texts: { audit } }: CertificateDesk) => [
  { title: '', width: 33 },
  { title: audit.time, width: 88 },
  { title: `${audit.event}, ${audit.hash}`, width: 265 },
  { title: `${audit.by}, ${audit.address}`, width: 109 },
]

const lineOf = (desk: CertificateDesk, { first, last }: Run) => {
  const { type, actor, ip } = last
  const { audit: words } = desk.texts
  const subject = subjectOf(last)
  const event = eventText(desk, type)
  return [
    { text: first.seq === last.seq ? `${last.seq}` : `${first.seq}–${last.seq}` },
    { text: plainTime(first.at), note: first.seq === last.seq ? null : `– ${plainTime(last.at)}` },
    { text: subject === null ? event : `${event}: ${subject}`, note: last.hash },
    { text: actor.type === 'system' ? words.system : (actor.email ?? actor.name ?? actor.type), note: ip },
  ]
}

const runsOf = (audit: readonly AuditEntry[]): Run[] => {
  const runs: Run[] = []
  for (const entry of audit) {
    const run = runs.at(-1)
    if (run && isSame(run.last, entry)) run.last = entry
    else runs.push({ first: entry, last: entry })
  }
  return runs
}

const isSame = (one: AuditEntry, other: AuditEntry): boolean =>
  one.type === other.type &&
  one.actor.email === other.actor.email &&
  one.ip === other.ip &&
  one.userAgent === other.userAgent &&
  subjectOf(one) === subjectOf(other)

/** The file or the person that an entry is about, besides who made it. */
const subjectOf = ({ actor, detail }: AuditEntry): string | null => {
  const subject = detail['email'] ?? detail['name']
  return typeof subject === 'string' && subject !== actor.email ? subject : null
}

const eventText = ({ texts }: CertificateDesk, type: string): string => {
  const events: Readonly<Record<string, string>> = texts.audit.events
  return events[type] ?? type.replaceAll('_', ' ')
}
