/** The guide answers by itself, so nothing but its own words is needed here. */
import { readdirSync, readFileSync } from 'node:fs'
import { guideId } from '@chancery/contract/models/models.ts'
import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../interface.ts'
import { guide, isGuide, readSections } from './guide.ts'

const ask = async (
  content: ModelCall['body']['messages'][number]['content'],
  signal = new AbortController().signal,
) => {
  const call = { actor: {} as ModelCall['actor'], body: { messages: [{ role: 'user', content }] }, signal }
  const pieces: unknown[] = []
  for await (const piece of guide.call(guideId, call)) pieces.push(piece)
  return { pieces, text: pieces.join('') }
}
const sections = await readSections()

describe('the guide', () => {
  it('is one model, known by its id', () => {
    expect(guide.list().map(({ id }) => id)).toEqual(['guide'])
    expect([isGuide('guide'), isGuide('swift')]).toEqual([true, false])
  })

  it.each([
    ['What is Chancery?', 'What Chancery is'],
    ['How do I add a connection?', 'Connect a model'],
    ['How do I connect a model?', 'Connect a model'],
    ['How can I add an Ollama server?', 'Connect a model'],
    ['How do I make an API key?', 'API keys'],
    ['How do I create an API key?', 'API keys'],
    ['Where do I find my token for the SDK', 'API keys'],
    ['How do I invite my colleagues?', 'Invite colleagues'],
    ['How do I invite a colleague?', 'Invite colleagues'],
    ['How do I edit a message in a chat?', 'Chat'],
    ['Can I share a conversation?', 'Share and export chats'],
    ['Who may use which model?', 'Choose who can use a model'],
    ['How much have I used?', 'Usage and limits'],
    ['Are there workflows?', 'Workflows'],
    ['Can I upload a PDF to sign?', 'Send a document for signature'],
    ['How do I change my password?', 'Password, login codes and sessions'],
    ['How do I sign in with my company account?', 'Sign in with your company account'],
    ['Are you a language model?', 'What the guide is'],
    ['who are you', 'What the guide is'],
    ['How do I make a collection of files?', 'Files and knowledge'],
    ['How do I back up and restore?', 'Backup and restore'],
    ['How do I send one document to many people with CSV?', 'Templates and sending to many'],
  ])('answers %j from the section "%s"', async (question, heading) => {
    const text = sections.find((section) => section.heading === heading)?.text ?? 'no such section'
    expect((await ask(question)).text.slice(0, 200)).toBe(text.slice(0, 200))
  })

  it('says which page an answer is from that is not written for everyone', async () => {
    expect((await ask('How do I back up and restore?')).text).toContain('docs/OPERATIONS.md')
  })

  it.each([
    'Hello',
    '',
    '???',
    'What can I do here?',
    'What is the capital of France',
    'Write me a poem about spring',
    'Who won the world cup in football?',
  ])('says to %j that it is no language model, and what to ask', async (question) => {
    const { text } = await ask(question)
    expect(text).toContain('not a language model')
    expect(text).toContain('How do I connect a model?')
  })

  it('has an answer to each question it proposes', async () => {
    const proposed = (await ask('Hello')).text.split('\n').flatMap((line) => /^- (.*\?)$/.exec(line)?.[1] ?? [])
    expect(proposed.length).toBeGreaterThan(3)
    for (const question of proposed) expect((await ask(question)).text).not.toContain('found nothing')
  })

  it('speaks piece by piece, and no further once nobody listens', async () => {
    expect((await ask('Hello')).pieces.length).toBeGreaterThan(20)
    await expect(ask('Hello', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('reads text parts and passes over pictures', async () => {
    const { text } = await ask([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: 'How do I make an API key?' },
    ])
    expect(text).toContain('API key')
  })

  it.each(['title', 'tags', 'follow_ups'])('answers what wants "%s" as JSON with just that', async (key) => {
    const { text } = await ask(`Look at this chat about API keys. Answer in JSON: {"${key}": …}`)
    expect(Object.keys(JSON.parse(text))).toEqual([key])
  })
})

describe('what the guide names', () => {
  const web = new URL('../../../../../web/src/', import.meta.url)
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(new URL(name, web), 'utf8').replace(/\s+/g, ' '))
    .join('\n')
  /** A whole text of a page or a whole string, not a part of one. */
  const isShown = (label: string): boolean =>
    [`'${label}'`, `"${label}"`, `>${label}<`, `> ${label} <`, `> ${label} {`, `} ${label} <`].some((one) =>
      sources.includes(one),
    )

  it.each(sections.filter(({ page }) => page === 'guide.md').map(({ heading, text }) => [heading, text] as const))(
    'is on the screens of the web app: %s',
    (_heading, text) => {
      const labels = [...text.replaceAll('**', '').matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g)].map(
        ([, label = '']) => label,
      )
      expect(labels.filter((label) => !isShown(label))).toEqual([])
    },
  )

  it.each(
    sections.filter(({ page }) => page !== 'guide.md').map(({ page, heading, text }) => [page, heading, text] as const),
  )('is there where %s sends people, in "%s"', (_page, _heading, text) => {
    const paths = [...text.matchAll(/\b[Uu]nder ((?:\w+, )?(?:(?:\*\*|_)[^*_]+(?:\*\*|_)(?:, )?)+)/g)].map(
      ([, path = '']) => path,
    )
    const labels = paths.flatMap((path) =>
      [...path.matchAll(/(?:\*\*|_)([^*_]+)(?:\*\*|_)/g)].flatMap(([, names = '']) => names.split(' → ')),
    )
    expect(labels.filter((label) => !isShown(label))).toEqual([])
  })
})
