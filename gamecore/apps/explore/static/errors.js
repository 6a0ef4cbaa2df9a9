/** An answer of the server that says what is wrong; `message` is a sentence to be shown. */
export class ApiError extends Error {
  constructor(status, error) {
    super(error?.message ?? `The server answered ${status}.`);
    this.name = "ApiError";
    this.status = status;
    this.code = error?.code ?? "internal";
    this.field = error?.field ?? null;
    this.line = error?.line ?? null;
    this.column = error?.column ?? null;
  }
}
