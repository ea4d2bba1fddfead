/**
 * What a running reply has said, kept so that a reader may join at any point and miss nothing. Text is kept once, with
 * the place where each frame ended: any number of frames can be given again as one.
 */
import type { ReplyFrame } from '@chancery/contract/chat-events.ts'

export interface Words {
  content: string
  reasoning: string
}

export interface ReplayLog {
  /** The number of the last frame; 0 before the first. */
  readonly seq: number
  readonly content: string
  readonly reasoning: string
  addWords(words: Words): ReplyFrame
  /** A frame that is no text: sources, an error, the end. */
  add(rest: Omit<ReplyFrame, 'seq'>): ReplyFrame
  /** Everything after this number, in as few frames as there can be. */
  after(seq: number): ReplyFrame[]
}

export const createReplayLog = (): ReplayLog => {
  let content = ''
  let reasoning = ''
  /** Where the texts ended after each frame, from frame 0 on. */
  const contentEnds = [0]
  const reasoningEnds = [0]
  const others = new Map<number, ReplyFrame>()

  const close = (): number => {
    contentEnds.push(content.length)
    reasoningEnds.push(reasoning.length)
    return contentEnds.length - 1
  }
  const wordsBetween = (from: number, to: number): Words => ({
    content: content.slice(contentEnds[from], contentEnds[to]),
    reasoning: reasoning.slice(reasoningEnds[from], reasoningEnds[to]),
  })
  const textFrames = (from: number, to: number): ReplyFrame[] => {
    const words = wordsBetween(from, to)
    return words.content === '' && words.reasoning === '' ? [] : [wordsFrame(to, words)]
  }

  return {
    get seq() {
      return contentEnds.length - 1
    },
    get content() {
      return content
    },
    get reasoning() {
      return reasoning
    },
    addWords: (words) => {
      content += words.content
      reasoning += words.reasoning
      return wordsFrame(close(), words)
    },
    add: (rest) => {
      const frame: ReplyFrame = { ...rest, seq: close() }
      others.set(frame.seq, frame)
      return frame
    },
    after: (seq) => {
      const last = contentEnds.length - 1
      let from = Math.min(Math.max(0, seq), last)
      const frames: ReplyFrame[] = []
      for (const [at, frame] of others) {
        if (at <= from) continue
        frames.push(...textFrames(from, at - 1), frame)
        from = at
      }
      return [...frames, ...textFrames(from, last)]
    },
  }
}

const wordsFrame = (seq: number, { content, reasoning }: Words): ReplyFrame => ({
  seq,
  choices: [{ index: 0, delta: { ...(reasoning && { reasoning_content: reasoning }), ...(content && { content }) } }],
})
