/** Pure. Chooses the guide's answer. */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import { lost, type Topic, topics, welcome } from './guide-topics.ts'

export const answerTo = (messages: readonly ChatMessage[]): string => {
  const question = lastQuestion(messages)
  return taskAnswer(question) ?? topicOf(question).text
}

/** Written in two words, it has nothing to do with signing a document. */
const signIn = /\b(sign|log)(ned|ged|ning|ging)?[ -](in|on|up)\b/g

/** As many distinct words of the question as possible; of equals the one that is more particular, as they are listed. */
const topicOf = (question: string): Topic => {
  const words =
    question
      .toLowerCase()
      .replace(signIn, 'login')
      .match(/\p{L}+/gu) ?? []
  if (words.length === 0) return welcome
  let best: { topic: Topic; score: number } = { topic: lost, score: 0 }
  for (const topic of [...topics, welcome]) {
    const score = topic.words.split(' ').filter((start) => words.some((word) => isWordFrom(word, start))).length
    if (score > best.score) best = { topic, score }
  }
  return best.topic
}

/** Short beginnings would be found everywhere, so they count as whole words only. */
const isWordFrom = (word: string, start: string): boolean =>
  start.length <= 4 ? word === start || word === `${start}s` : word.startsWith(start)

const lastQuestion = (messages: readonly ChatMessage[]): string => {
  const content = messages.findLast(({ role }) => role === 'user')?.content
  if (!Array.isArray(content)) return content ?? ''
  return content.map((part) => (typeof part.text === 'string' ? part.text : '')).join(' ')
}

/** What names a chat, tags it or asks for follow-ups wants JSON of one key, and nothing else. */
const taskAnswer = (question: string): string | undefined => {
  if (!/\bjson\b/i.test(question)) return undefined
  const key = /"(title|tags|follow_ups)"\s*:/.exec(question)?.[1]
  if (key === 'title') return JSON.stringify({ title: 'A talk with the guide' })
  if (key === 'tags') return JSON.stringify({ tags: ['Chancery'] })
  return key === 'follow_ups' ? JSON.stringify({ follow_ups: topicOf(question).next }) : undefined
}
