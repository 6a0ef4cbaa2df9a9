/** The same page in a notebook: an anywidget whose transport is the messages of its model. */

import { mount } from "./app.js";
import { ApiError } from "./errors.js";

/** Calls and streams as messages: `{id, op, path, body}` out, `{id, kind, ..}` in. */
export class MessageTransport {
  constructor(model) {
    this.model = model;
    this.waiting = new Map();
    this.asked = 0;
    this.receive = (message) => this.waiting.get(message.id)?.(message);
    model.on("msg:custom", this.receive);
  }

  send(op, path, body, take) {
    this.asked += 1;
    const id = this.asked;
    this.waiting.set(id, take);
    this.model.send({ id, op, path, body: body ?? {} });
    return id;
  }

  call(path, body) {
    return new Promise((resolve, reject) => {
      const id = this.send("call", path, body, (message) => {
        this.waiting.delete(id);
        if (message.status < 400) resolve(message.body);
        else reject(new ApiError(message.status, message.body?.error ?? message.error));
      });
    });
  }

  stream(path, body, onEvent, signal) {
    return new Promise((resolve, reject) => {
      const end = (settle, value) => {
        this.waiting.delete(id);
        settle(value);
      };
      const id = this.send("stream", path, body, (message) => {
        if (message.kind === "event") onEvent(message.event, message.data);
        else if (message.kind === "done") end(resolve);
        else if (message.status >= 400) end(reject, new ApiError(message.status, message.body?.error ?? message.error));
      });
      signal?.addEventListener("abort", () => {
        this.model.send({ id, op: "cancel", path, body: {} });
        end(resolve);
      });
    });
  }

  close() {
    this.model.off("msg:custom", this.receive);
  }
}

function render({ model, el }) {
  const transport = new MessageTransport(model);
  const onChange = (address) => {
    const { game, position, moves, at, seat } = address;
    model.set("start", { game, position, moves, at, seat });
    model.save_changes();
  };
  el.classList.add("gamecore-explore");
  const inner = document.createElement("div");
  inner.className = "widget";
  inner.tabIndex = -1;
  inner.style.height = `${model.get("height")}px`;
  el.append(inner);
  const shown = mount(inner, transport, { ...model.get("start"), widget: true, onChange });
  return () => {
    shown.destroy();
    transport.close();
  };
}

export default { render };
