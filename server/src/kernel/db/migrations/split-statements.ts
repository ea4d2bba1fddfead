/** The statements of a migration, one by one. Pure. */

export interface Statement {
  sql: string
  /** The comment lines right before it. */
  comment: string
}

/** Comments, strings, quoted names and bodies of functions, in which a semicolon ends nothing. */
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^-/$'";]+|[\s\S]/g

const isComment = (text: string): boolean => text.startsWith('--') || text.startsWith('/*')

export const splitStatements = (sql: string): Statement[] => {
  const statements: Statement[] = []
  let statement: Statement = { sql: '', comment: '' }
  const end = (): void => {
    if (statement.sql.trim() !== '') statements.push({ sql: statement.sql.trim(), comment: statement.comment.trim() })
    statement = { sql: '', comment: '' }
  }
  for (const [text] of sql.matchAll(token))
    if (text === ';') end()
    else if (!isComment(text)) statement.sql += text
    else if (statement.sql.trim() === '') statement.comment += `${text}\n`
  end()
  return statements
}
