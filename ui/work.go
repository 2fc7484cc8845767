package ui

import (
	"context"
	"sync"
	"time"
)

// job is something that runs beside the terminal loop and gives one message. Timers and feeds wait for the outside world
// and so do not count as work.
type job struct {
	name string
	kind jobKind
	run  func(ctx context.Context) Msg
}

type jobKind uint8

const (
	workJob jobKind = iota
	timerJob
	feedJob
)

// workDoneMsg brings the result of background work back.
type workDoneMsg struct {
	id  int
	msg Msg
}

// workRegistry knows the background work in flight. Work registers before it starts and leaves when its result has been
// taken, so that nothing registered means that nothing is about to change by itself. It may be asked from any goroutine.
type workRegistry struct {
	mu    sync.Mutex
	next  int
	names map[int]string
	quiet chan struct{} // closed while nothing is registered
}

func (r *workRegistry) enter(name string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.names) == 0 {
		r.names = map[int]string{}
		r.quiet = make(chan struct{})
	}
	r.next++
	r.names[r.next] = name
	return r.next
}

func (r *workRegistry) leave(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.names[id]; !known {
		return
	}
	delete(r.names, id)
	if len(r.names) == 0 {
		close(r.quiet)
	}
}

// idle is closed as soon as nothing is registered.
func (r *workRegistry) idle() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.quiet == nil {
		r.quiet = make(chan struct{})
		close(r.quiet)
	}
	return r.quiet
}

// Idle is closed as soon as no background work is in flight. It may be called from any goroutine.
func (s *Shell) Idle() <-chan struct{} { return s.registry.idle() }

func (s *Shell) startWork(msg backgroundMsg) {
	id := s.registry.enter(msg.name)
	s.trail.add(s.options.Now(), "work: "+msg.name)
	s.jobs = append(s.jobs, job{name: msg.name, run: func(ctx context.Context) Msg {
		return workDoneMsg{id, msg.work(ctx)}
	}})
}

// endWork takes the result; only when everything that follows from it is done is the work out of the registry.
func (s *Shell) endWork(msg workDoneMsg) {
	if msg.msg != nil {
		s.handle(msg.msg)
	}
	s.registry.leave(msg.id)
}

func (s *Shell) startTimer(msg afterMsg) {
	s.jobs = append(s.jobs, job{name: "timer", kind: timerJob, run: func(ctx context.Context) Msg {
		timer := time.NewTimer(msg.wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return msg.msg
		case <-ctx.Done():
			return nil
		}
	}})
}

// takeJobs gives the jobs that have not been started yet.
func (s *Shell) takeJobs() []job {
	jobs := s.jobs
	s.jobs = nil
	return jobs
}

// Settle runs background work, and what it leads to, until there is none left: for tests and for --plain. Timers and feeds
// are left out.
func (s *Shell) Settle(ctx context.Context) {
	for jobs := s.takeJobs(); len(jobs) > 0; jobs = s.takeJobs() {
		for _, j := range jobs {
			if j.kind == workJob {
				s.Send(j.run(ctx))
			}
		}
	}
}
