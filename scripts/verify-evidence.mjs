#!/usr/bin/env node
/**
 * Checks a document's audit log without Chancery: nothing but Node.js and SHA-256.
 *
 *   node scripts/verify-evidence.mjs evidence.json [original.pdf …]
 *
 * `evidence.json` is attached to every sealed PDF (`pdfdetach -save 1 sealed.pdf`); the replies of
 * `GET /api/signing/documents/{id}/certificate` and `…/audit` work too. The facts that the certificate prints about who
 * saw and signed what are compared with the log, and originals with the hashes in it.
 * Ends with 0 when everything fits, with 1 when something does not, with 2 when there is nothing to check.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** JSON with sorted keys and no white space: everybody hashes the same bytes. */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
  return `{${pairs.join(',')}}`
}

const hashOf = ({ seq, type, at, actor, ip, userAgent, detail, prevHash }) => {
  const { type: kind, name, email } = actor
  return sha256(canonical({ seq, type, at, actor: { type: kind, name, email }, ip, userAgent, detail, prevHash }))
}

/** The first problem, or undefined. */
const problemIn = (documentId, entries, head) => {
  let prevHash = sha256(`chancery:signing:${documentId}`)
  for (const [index, entry] of entries.entries()) {
    if (entry.seq !== index + 1) return `Entry ${index + 1} is missing.`
    if (entry.prevHash !== prevHash) return `Entry ${entry.seq} does not follow the entry before it.`
    if (hashOf(entry) !== entry.hash) return `Entry ${entry.seq} was changed.`
    prevHash = entry.hash
  }
  if (head && (head.seq !== entries.length || head.hash !== prevHash)) return 'Entries are missing at the end.'
  return undefined
}

const isSame = (one, other) => canonical(one ?? null) === canonical(other ?? null)
const isAbout = (entry, type, recipient) => entry.type === type && entry.detail.recipientId === recipient.id
/** The service reads its clock for the fact and for its entry. */
const isClose = (one, other) => Math.abs(Date.parse(one) - Date.parse(other)) < 60_000

/** The first fact of the certificate that the log doesn't say; evidence from before has no version, and fewer facts. */
const factProblem = ({ version, files, recipients }, entries) => {
  if (version === undefined) return undefined
  for (const recipient of recipients) {
    const { name } = recipient
    const signed = entries.findLast((entry) => isAbout(entry, 'signed', recipient))
    const isSigned = recipient.signedAt !== null
    if (isSigned !== (signed !== undefined)) return `The log does not say whether ${name} signed.`
    for (const { fileId, sha256, at } of recipient.viewed) {
      const fetched = entries.find((entry) => isAbout(entry, 'file_fetched', recipient) && entry.at === at)
      if (fetched?.detail.fileId !== fileId || fetched.detail.sha256 !== sha256)
        return `The log does not say that ${name} received the file ${sha256}.`
    }
    if (!signed) continue
    const { ip, userAgent, detail, at } = signed
    if (!isClose(recipient.signedAt, at) || !isSame(ip, recipient.ip) || !isSame(userAgent, recipient.userAgent))
      return `The log says otherwise when and where ${name} signed.`
    const missing = files.find(({ sha256 }) => !detail.files.some((file) => file.sha256 === sha256))
    if (missing) return `The log does not say that ${name} signed the file ${missing.sha256}.`
    // Entries from before values were logged have none.
    for (const { fieldId, value } of detail.values ?? []) {
      const field = recipient.fields.find(({ id }) => id === fieldId)
      if (!field || !isSame(field.after, value)) return `The log has another value of a field that ${name} signed.`
    }
    if (detail.values && detail.values.length !== recipient.fields.length)
      return `The log does not have every field of ${name}.`
  }
  return undefined
}

const stop = (code, sentence) => {
  console.log(sentence)
  process.exit(code)
}

const [path, ...originals] = process.argv.slice(2)
if (!path) stop(2, 'Usage: node scripts/verify-evidence.mjs evidence.json [original.pdf …]')

const read = () => {
  try {
    const evidence = JSON.parse(readFileSync(path, 'utf8'))
    const { documentId, audit, entries = audit, chainHead, files = [] } = evidence
    if (typeof documentId !== 'string' || !Array.isArray(entries)) throw new Error('it has no audit log')
    return { evidence, documentId, entries, chainHead, files }
  } catch (problem) {
    return stop(2, `${path} cannot be checked: ${problem.message}.`)
  }
}

const { evidence, documentId, entries, chainHead, files } = read()
const problem = problemIn(documentId, entries, chainHead) ?? factProblem(evidence, entries)
if (problem) stop(1, problem)
for (const original of originals) {
  const hash = sha256(readFileSync(original))
  if (!files.some((file) => file.sha256 === hash)) stop(1, `${original} is not one of the files that were signed.`)
}
const last = entries.at(-1)?.hash ?? 'none'
stop(0, `The audit log of document ${documentId} is complete: ${entries.length} entries, last hash ${last}.`)
